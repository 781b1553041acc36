/** A name that is not in this list is refused, never counted as success. */
import { AppError } from '@shared/contract/errors'
import type { Operation } from '../operation'
import { captureScreen } from './captureScreen'
import { comparePicture } from './comparePicture'
import { compareSnapshot } from './compareSnapshot'
import { extractAnimation } from './extractAnimation'
import { extractBitmap } from './extractBitmap'
import { extractCharset } from './extractCharset'
import { extractRam } from './extractRam'
import { extractScreen } from './extractScreen'
import { extractSpritesFromRam } from './extractSpritesFromRam'
import { fill } from './fill'
import { pause } from './pause'
import { pollScreen } from './pollScreen'
import { read } from './read'
import { readScreen } from './readScreen'
import { record } from './record'
import { reset } from './reset'
import { resume } from './resume'
import { runPrg } from './runPrg'
import { sample } from './sample'
import { snapshot } from './snapshot'
import { typeText } from './typeText'
import { write } from './write'

export const operations: readonly Operation[] = [
  read,
  write,
  fill,
  readScreen,
  pollScreen,
  captureScreen,
  comparePicture,
  extractSpritesFromRam,
  extractAnimation,
  extractCharset,
  extractScreen,
  extractBitmap,
  extractRam,
  snapshot,
  compareSnapshot,
  sample,
  record,
  runPrg,
  typeText,
  reset,
  pause,
  resume,
]

const aliases: Readonly<Record<string, string>> = { read_memory: 'read', write_memory: 'write' }

/** @throws AppError INVALID for a name that no operation has */
export function findOperation(name: string): Operation {
  const known = Object.hasOwn(aliases, name) ? aliases[name] : name
  const found = operations.find((operation) => operation.name === known)
  if (found) return found
  throw new AppError('INVALID', `There is no operation “${name}”.`, {
    hint: `There are: ${operations.map((operation) => operation.name).join(', ')}.`,
  })
}
