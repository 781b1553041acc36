/** Characters of its input that an error repeats at most. */
export const MAX_REPEATED = 200

/** The text with everything shortened that repeats more of the arguments: them themselves, quotations, and words without a blank. */
export function withoutLongInput(text: string, given: unknown = null): string {
  let shortened = text
  for (const input of textsIn(given))
    if (input.length > MAX_REPEATED) shortened = shortened.replaceAll(input, () => cut(input))
  return shortened
    .replaceAll(/“[^”]{200,}”?/g, (quotation) => `“${cut(quotation.slice(1))}”`)
    .replaceAll(/\S{201,}/g, cut)
}

const cut = (text: string): string => `${text.slice(0, MAX_REPEATED / 2)}…`

/** Values and names, however deep. */
function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') {
    yield value
    if (value.trim() !== value) yield value.trim()
  } else if (typeof value === 'object' && value !== null)
    for (const [name, inner] of Object.entries(value)) {
      yield name
      yield* textsIn(inner)
    }
}
