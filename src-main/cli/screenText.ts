import { readTextScreen, type ScreenText } from '@shared/c64/textScreen'
import { number, text, withDefault } from './parameters'
import type { Session } from './session'

export const readScreen = ({ client }: Session, machine: string, signal: AbortSignal): Promise<ScreenText> =>
  readTextScreen(async (range) => (await client.call('memory.read', { machine, ...range }, signal)).bytes)

export const screenTextOf = ({ rows }: Pick<ScreenText, 'rows'>): string => rows.map((row) => row.trimEnd()).join('\n')

export const waitOptions = {
  'wait-for': text('TEXT', 'Wait until the text screen shows this; capital and small letters are the same.'),
  timeout: withDefault(number('S', 'How long --wait-for waits, in seconds.', { min: 1, max: 3600 }), 30),
}
