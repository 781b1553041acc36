/** `draw`, `@loop`, `$d020`; empty for none. */
export function wordAt(text: string, offset: number): string {
  for (const { 0: word, index } of text.matchAll(/[$@.]?[\p{L}\d_][\p{L}\d_.@]*/gu))
    if (index <= offset && offset <= index + word.length) return word
  return ''
}
