import { z } from 'zod'
import { palettes } from '@shared/c64/palettes'
import { isCharacterRom } from '@shared/c64/video'
import { CHARACTER_BYTES, SCREEN_CELLS, usesCharacterRom } from '@shared/graphics/artwork'
import { screenPixels } from '@shared/graphics/artworkPixels'
import { grabScreen } from '@shared/graphics/grab'
import { pixelsPng } from '../../files/png'
import { standingStill } from '../../machine/readImage'
import { defineOperation, NotNow } from '../operation'
import { address, folderOf, imageSpace, keepAll, pauseDuringRead, reportAddress } from './arguments'
import { readGraphicsParts, withRom } from './graphicsParts'
import { formatsFor, palette, savedSummary, saveArtwork, scale } from './savedArtwork'

const CHARACTER_SET = 256 * CHARACTER_BYTES
const noRom = new Uint8Array(2 * CHARACTER_SET)

export const extractScreen = defineOperation({
  name: 'extract_screen',
  title: 'Extract a text screen',
  does: 'Saves a text screen as a picture (PNG), as its codes and colours, with its characters, and in other formats: the one that the VIC-II shows, or one at an address.',
  needs: ['readMemory'],
  writes: false,
  savesFiles: true,
  arguments: z.strictObject({
    address: address('Where its 1,000 codes start. Left out: where the VIC-II shows text now.').optional(),
    formats: formatsFor('screen'),
    palette: palette(),
    scale: scale(),
    space: imageSpace(),
    pauseDuringRead: pauseDuringRead(),
    keepAll: keepAll(),
  }),
  run: async (context, args) => {
    const { artifact, iteration, log } = context
    const { image: read, video } = await standingStill(context, args.pauseDuringRead, () =>
      readGraphicsParts(context, args.space, (video) => [
        { address: args.address ?? video.screen, length: SCREEN_CELLS },
        { address: video.characters, length: CHARACTER_SET },
      ]),
    )
    if (args.address === undefined && (video.mode === 'bitmap' || video.mode === 'multicolourBitmap'))
      throw new NotNow(
        'The VIC-II shows a bitmap now, and no text.',
        'Give the address of a screen, or use extract_bitmap.',
      )
    const art = grabScreen(read, args.address)
    const { characterRom, romNote } = usesCharacterRom(art) ? await withRom(context, read) : read
    const romCharacters = characterRom ?? noRom
    const folder = `${folderOf(args.keepAll, iteration)}screens/`
    const { pixels, width } = screenPixels(art, romCharacters)
    await artifact(`${folder}screen.png`, pixelsPng(pixels, width, palettes[args.palette]))
    await artifact(`${folder}screen.bin`, art.codes)
    await artifact(`${folder}colours.bin`, art.colours)
    if (typeof art.characters !== 'string') await artifact(`${folder}charset.bin`, art.characters)
    const saved = await saveArtwork(context, `${folder}screen`, art, { ...args, romCharacters })
    log(`${art.mode} at ${reportAddress(args.address ?? video.screen)}`)
    return {
      summary: {
        address: reportAddress(args.address ?? video.screen),
        mode: art.mode,
        charset: reportAddress(video.characters),
        charsetFromRom: isCharacterRom(video.characters),
        ...(romNote === undefined ? {} : { note: romNote }),
        backgrounds: [...art.backgrounds],
        border: art.border,
        ...savedSummary(saved),
      },
      artifacts: { screensDir: `artifacts/${folder}` },
    }
  },
})
