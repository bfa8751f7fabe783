"""What Triton calls to compile a kernel for @name@.

So that it runs from the first day, @name@ is the CPU here: TTIR becomes C, which clang compiles (triton_cpu). Put your
own compiler in the place of its stages, one after the other; `kernel.asm` has what each of them makes.

Triton takes the one concrete subclass of BaseBackend that it finds in this module, so import modules, not classes.
"""

from triton_cpu import compiler as cpu

# Of this package; Triton's cache holds nothing that another version made.
VERSION = "0.1.0"


class @Name@Backend(cpu.CPUBackend):

    @staticmethod
    def supports_target(target):
        return target.backend == "@name@"

    def hash(self):
        return f"@name@-{VERSION}-{super().hash()}"

    def add_stages(self, stages, options, language=None):
        super().add_stages(stages, options, language)
        make_c = stages["c"]
        stages["c"] = lambda source, metadata: self.mark(make_c(source, metadata))

    @staticmethod
    def mark(text):
        """A step of @name@'s own, behind one of another backend."""
        return f"/* for @name@ {VERSION} */\n{text}"
