/**
 * Spells out what a terminal or a reader would act on: control characters, and marks that change the direction of text.
 */
export const visibleText = (text: string): string =>
  text.replace(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
    (character) => {
      const code = character.charCodeAt(0)
      return character === '\r'
        ? ''
        : code < 0x20
          ? String.fromCharCode(0x2400 + code)
          : `‹U+${code.toString(16).toUpperCase().padStart(4, '0')}›`
    },
  )
