import { z } from 'zod'
import { AppError } from '@shared/contract/errors'
import { CHARACTER_BYTES, SPRITE_BYTES, type Artwork } from '@shared/graphics/artwork'
import { formatsOf } from '@shared/graphics/formats'
import { fileName } from './galleryItems'

const colour = z.int().min(0).max(15)
const spriteList = z.object({
  sprites: z
    .array(
      z.object({
        bytes: z.string().max(1000),
        multicolour: z.boolean(),
        colour,
        multicolour1: colour,
        multicolour2: colour,
      }),
    )
    .max(4096),
})

export const listBeside = (artifact: string): string | null =>
  /(^|\/)sprites\/[^/]+\.bin$/.test(artifact) ? artifact.replace(/[^/]+$/, 'sprites.json') : null

const isCharset = (artifact: string, bytes: Uint8Array): boolean =>
  /(^|\/)charsets\/[^/]+\.bin$/.test(artifact) && bytes.length % CHARACTER_BYTES === 0

/** @param list null where there is none */
export function artworkOfItem(artifact: string, bytes: Uint8Array, list: Uint8Array | null): Artwork {
  const name = fileName(artifact).replace(/\.[^.]*$/, '')
  if (list !== null && bytes.length === SPRITE_BYTES) return spriteOf(fileName(artifact), name, bytes, list)
  if (isCharset(artifact, bytes))
    return {
      kind: 'characters',
      name,
      mode: 'text',
      bytes,
      backgrounds: [0, 0, 0, 0],
      colour: 1,
      colours: null,
      materials: null,
      tiles: null,
      map: null,
    }
  const extension = /\.([^.]*)$/.exec(artifact)?.[1]?.toLowerCase() ?? ''
  const [format] = formatsOf(bytes, extension)
  const [read] = format?.read?.(bytes).artworks ?? []
  if (read) return { ...read, name }
  throw new AppError('UNSUPPORTED', `${fileName(artifact)} holds no sprites, characters or bitmap.`)
}

function spriteOf(file: string, name: string, bytes: Uint8Array, list: Uint8Array): Artwork {
  const parsed = spriteList.safeParse(JSON.parse(new TextDecoder().decode(list)))
  const look = parsed.data?.sprites.find((sprite) => sprite.bytes === file)
  const shown = look ?? { multicolour: false, colour: 1, multicolour1: 0, multicolour2: 0 }
  return {
    kind: 'sprites',
    name,
    background: 0,
    animations: [],
    multicolour1: shown.multicolour1,
    multicolour2: shown.multicolour2,
    sprites: [
      {
        name,
        bytes,
        colour: shown.colour,
        multicolour: shown.multicolour,
        expandX: false,
        expandY: false,
        overlay: false,
      },
    ],
  }
}

export const mayBeArtwork = (artifact: string | null): artifact is string =>
  artifact !== null &&
  (/(^|\/)(sprites|charsets)\/[^/]+\.bin$/.test(artifact) || /\.(koa|kla|spd|spm|ctm)$/i.test(artifact))
