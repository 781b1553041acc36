interface TypedKey {
  readonly key: string
  readonly ctrlKey: boolean
  readonly altKey: boolean
  readonly metaKey: boolean
}

export class TypedLine {
  #text = ''

  /** @returns the line that this key ends; null for any other key */
  press({ key, ctrlKey, altKey, metaKey }: TypedKey): string | null {
    const text = this.#text
    if (key === 'Enter') {
      this.#text = ''
      return text
    }
    if (key === 'Backspace') this.#text = text.slice(0, -1)
    else if (Array.from(key).length === 1 && !metaKey && !(ctrlKey && !altKey)) this.#text += key
    // The cursor is somewhere else now.
    else if (/^(Arrow|Home|End|Escape)/.test(key)) this.#text = ''
    return null
  }
}
