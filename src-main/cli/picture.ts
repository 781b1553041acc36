import { writeFile } from 'atomically'
import { palettes } from '@shared/c64/palettes'
import type { Picture } from '@shared/contract/memory'
import { describeFileError } from '../files/fileErrors'
import { picturePng } from '../files/png'
import type { FilePath } from './parameters'
import type { Session } from './session'

/** Saves the screen of a machine as PNG. */
export async function savePicture(
  { client }: Session,
  machine: string,
  file: FilePath,
  signal: AbortSignal,
): Promise<Picture> {
  const picture = await client.call('memory.picture', { machine }, signal)
  const { colours } = await client.call('memory.palette', { machine }, signal)
  await saveFile(file, picturePng(picture, colours ?? palettes.pepto))
  return picture
}

export async function saveFile({ path, written }: FilePath, bytes: Uint8Array): Promise<void> {
  try {
    await writeFile(path, Buffer.from(bytes))
  } catch (error) {
    throw describeFileError(error, written, 'written')
  }
}
