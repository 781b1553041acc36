/** Characters without a code become a question mark. */
import { textToPetscii } from '../petscii'
import { textToScreenCode } from '../screenCodes'

const QUESTION_MARK = 0x3f

export type Encoding = 'keys' | 'petscii' | 'screen' | 'ascii'

const encodings: Readonly<Record<Encoding, (text: string) => Iterable<number>>> = {
  /** Both cases of a letter give the code of its key alone: capitals after power-on. */
  keys: (text) => textToPetscii(text.toLowerCase()),
  /** A capital is the key with SHIFT. */
  petscii: textToPetscii,
  screen: (text) => Array.from(text, (each) => textToScreenCode(each) ?? QUESTION_MARK),
  ascii: (text) => Array.from(text, (each) => (/^[\0-\x7f]$/.test(each) ? each.charCodeAt(0) : QUESTION_MARK)),
}

export const encodeText = (text: string, encoding: Encoding): readonly number[] => [...encodings[encoding](text)]
