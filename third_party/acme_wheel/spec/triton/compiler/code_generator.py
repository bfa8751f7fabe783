"""Merged into the trunk's module: one method of the class that turns Python into TTIR."""


class CodeGenerator(ast.NodeVisitor):  # spec: methods

    def visit_Pass(self, node):
        """acme waits for all threads at a `pass`."""
        self.builder.create_barrier()
