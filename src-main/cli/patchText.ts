import type { Preview } from '@shared/contract/edits'

const heads: Readonly<Record<string, string>> = {
  created: 'new file mode 100644',
  deleted: 'deleted file mode 100644',
}

/** `git apply` and `patch -p1` read this form. Both refuse a cut hunk, as its head counts more lines. */
export const printPatch = (files: Preview['files']): string[] =>
  files.flatMap(({ file, from, kind, added, removed, bytes, isTooLarge, hunks }) => {
    if (bytes !== null) return [`${file}: ${kind}, not text: ${bytes} bytes.`]
    if (isTooLarge) return [`${file}: too large to show: ${added + removed} lines.`]
    const source = from ?? file
    return [
      `diff --git ${named(`a/${source}`)} ${named(`b/${file}`)}`,
      ...(from === null ? [] : [`rename from ${named(from)}`, `rename to ${named(file)}`]),
      ...(heads[kind] === undefined ? [] : [heads[kind]]),
      ...(hunks.length === 0
        ? []
        : [
            `--- ${kind === 'created' ? '/dev/null' : endedName(`a/${source}`)}`,
            `+++ ${kind === 'deleted' ? '/dev/null' : endedName(`b/${file}`)}`,
          ]),
      ...hunks.flatMap(({ before, beforeLines, after, afterLines, lines }) => [
        `@@ -${before},${beforeLines} +${after},${afterLines} @@`,
        ...lines,
      ]),
    ]
  })

const named = (path: string): string =>
  /["\\\p{Cc}]/u.test(path)
    ? `"${path.replaceAll(/["\\]/g, '\\$&').replaceAll(/\p{Cc}/gu, (control) => `\\${control.charCodeAt(0).toString(8).padStart(3, '0')}`)}"`
    : path

/** A name with spaces needs a tab behind it. */
const endedName = (path: string): string => (/\s/.test(path) ? `${named(path)}\t` : named(path))
