import { palettes } from '@shared/c64/palettes'
import type { Picture } from '@shared/contract/memory'
import { picturePng } from '../files/png'
import type { FilePath } from './parameters'
import { saveFile } from './saveFile'
import type { Session } from './session'

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
