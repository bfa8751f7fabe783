"""Small modules in MLIR's generic form, and what can be counted in such text."""

import collections
import re

FUNCTION = '''"builtin.module"() ({{
  "tt.func"() <{{function_type = ({types}) -> (), sym_name = "f"}}> ({{
  ^bb0({arguments}):
{body}
    "tt.return"() : () -> ()
  }}) : () -> ()
}}){attributes} : () -> ()
'''


def function(body, *types, attributes=""):
    """Text of a module with one function f of the argument types, %a0 and so on.

    ``body`` lists its operations; ``attributes`` are those of the module, as in "ttg.shared" = 1 : i64.
    """
    arguments = ", ".join(f"%a{i}: {type_}" for i, type_ in enumerate(types))
    return FUNCTION.format(types=", ".join(types), arguments=arguments, body="\n".join("    " + line for line in body),
                           attributes=f" {{{attributes}}}" if attributes else "")


def count(text):
    """How often each operation occurs in generic-form text."""
    return collections.Counter(re.findall(r'"([a-z_]+\.[a-z_.0-9]+)"\(', text))


def attributes_of(text, operation, name):
    """The integer values of attribute ``name`` of every such operation, in order; None where it lacks."""
    lines = [line for line in text.splitlines() if f'"{operation}"(' in line]
    found = [re.search(rf'"?{re.escape(name)}"? = (\d+)', line) for line in lines]
    return [int(match[1]) if match else None for match in found]
