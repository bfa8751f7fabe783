"""Texts of C files that show what a compiler read: each declares its path's number and its layer, and
includes others in one of the many ways."""

import os

# What a text may do beside plain includes, and how often.
_EXTRAS = {"macro": 3, "has": 4, "maybe": 4, "pick": 3, "define": 3, "dead": 1, "odd": 2,
           "file": 2, "named": 1}


def relative(includer, header):
    """The path of a header as seen from the includer's folder."""
    return os.path.relpath(header, os.path.dirname(includer) or ".")


class Writer:
    """Writes texts with a random source; `world` has what can be included."""

    def __init__(self, random, world):
        self.random, self.world = random, world

    def spell(self, includer, header, dirs):
        """The header with its delimiters, so that this includer finds it or one that comes before."""
        near = relative(includer, header)
        ways = [f'"{near}"', f'"{near}"']
        if "/" not in near:
            ways.append(f'"./{near}"')
        for folder in dirs:
            if header.startswith(folder + "/"):
                name = header[len(folder) + 1:]
                ways += [f'"{name}"', f"<{name}>"]
        return self.random.choice(ways)

    def text(self, path, layer, headers, dirs, guard=None):
        """The text of a file. headers: what it may include; dirs: include folders it can count on;
        guard: None for a source, else "once", "ifndef" or "none"."""
        number = self.world.number(path)
        lines = {"once": ["#pragma once"], "ifndef": [f"#ifndef GUARD_{number}", f"#define GUARD_{number}"],
                 }.get(guard, [])
        lines = [*lines, f"extern int t{number}_{layer};"]
        if guard == "none":  # must not come round to itself: only by sure ways, and upwards
            headers = [h for h in headers if self.world.number(h) > number]
            lines += [f'#include "{relative(path, h)}"' for h in headers[:1]]
        else:
            count = self.random.randint(1, 3) if guard is None else self.random.randint(0, 2)
            for header in self.random.sample(headers, min(count, len(headers))):
                lines.append(f"#include {self.spell(path, header, dirs)}")
            for _ in range(self.random.randint(0, 2)):
                lines += self.extra(path, number, headers, dirs, guard is not None)
        if guard == "ifndef":
            lines.append("#endif")
        return "\n".join(lines) + "\n"

    def extra(self, path, number, headers, dirs, is_header):
        """Lines of one further use of the preprocessor."""
        kind = self.random.choices(list(_EXTRAS), _EXTRAS.values())[0]
        pick = f"PICK_{self.random.randint(0, 2)}"
        if kind == "define":
            return [self.random.choice([f"#define {pick} 1", f"#undef {pick}"])]
        if kind == "file":
            return ['_Static_assert(sizeof(__FILE__), __FILE__);'] if self.world.shows_files else []
        if kind == "maybe":  # the trunk has none of these, an overlay may
            name = self.random.choice(self.world.maybe)
            return [f"#if __has_include(<{name}>)", f"#include <{name}>", "#else",
                    f"extern int t{number}_without;", "#endif"]
        if kind == "next":
            name = os.path.basename(path)
            if not is_header or " " in name:
                return []
            return [f"#if __has_include_next(<{name}>)", f"#include_next <{name}>", "#endif"]
        if not headers:
            return []
        spelled = self.spell(path, self.random.choice(headers), dirs)
        return {
            "macro": [f"#define HERE_{number} {spelled}", f"#include HERE_{number}"],
            "has": [f"#if __has_include({spelled})", f"#include {spelled}", "#endif"],
            "pick": [f"#ifdef {pick}", f"#include {spelled}", "#endif"],
            "dead": ["#if 0", f"#include {spelled}", "#endif"],
            "odd": [self.odd(spelled)],
            "named": ["#ifdef NAMED", "#include NAMED", "#endif"],
        }[kind]

    def odd(self, spelled):
        """An include directive as few people write it."""
        return self.random.choice(["#  include /* x */ {}", "%:include {}", "#include \\\n {}",
                                   "/* x */ #include {} // y", "\t#\tinclude\t{}", "#include{}"]).format(spelled)
