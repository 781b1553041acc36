/** A terminal would execute control characters in untrusted text. Line ends, CRLF too, and tabs are kept. */
export const terminalText = (text: string): string =>
  text.replace(
    /\r(?!\n)|[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
