/** The page gets the bytes of the files, and never a path. */
import { basename } from 'node:path'
import { graphicsExtensions, MAX_GRAPHICS_FILE_BYTES, type GraphicsFile } from '@shared/contract/graphics'
import { readBounded } from '../../files/readBounded'
import { anyFile } from './fileFilters'
import { saveTo } from './savedFile'
import type { MainAreaHandlers, MainServices } from './services'

const files = [{ name: 'Graphics', extensions: [...graphicsExtensions] }, anyFile]

type Services = Pick<MainServices, 'dialogs' | 'grants'>

export const createGraphicsHandlers = ({ dialogs, grants }: Services): MainAreaHandlers<'graphics'> => ({
  'graphics.choose': async () => {
    const path = await dialogs.open('graphics', 'Import graphics', files)
    return { file: path === undefined ? null : await read(path) }
  },
  'graphics.readGranted': async ({ grant }) => ({ file: await read(grants.take(grant)) }),
  'graphics.saveFile': async ({ bytes, name, extension }) => {
    const filters = [{ name: extension.toUpperCase(), extensions: [extension] }, anyFile]
    return saveTo(grants, await dialogs.save('graphics', 'Export graphics', `${name}.${extension}`, filters), bytes)
  },
})

const read = async (path: string): Promise<GraphicsFile> => ({
  name: basename(path).slice(0, 300),
  bytes: await readBounded(path, MAX_GRAPHICS_FILE_BYTES),
})
