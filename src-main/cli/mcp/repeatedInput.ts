/** Characters. */
export const MAX_REPEATED = 200

/** Shortens what repeats the arguments, quotations, and words without a blank. */
export function withoutLongInput(text: string, given: unknown = null): string {
  let shortened = text
  for (const input of textsIn(given))
    if (input.length > MAX_REPEATED) shortened = shortened.replaceAll(input, () => cut(input))
  return shortened
    .replaceAll(/“[^”]{200,}”?/g, (quotation) => `“${cut(quotation.slice(1))}”`)
    .replaceAll(/\S{201,}/g, cut)
}

const cut = (text: string): string => `${text.slice(0, MAX_REPEATED / 2)}…`

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
