const MAX_TEXT = 20_000

/** Untrusted text: cut, with characters escaped that XML or a page cannot show or that change the writing direction. */
export const reportText = (text: string): string =>
  (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text)
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/\p{Cs}/gu, '\ufffd')
    .replaceAll(
      /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/g,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )
