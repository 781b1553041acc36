import { z } from 'zod'
import { palettes } from '@shared/c64/palettes'
import { BITMAP_BYTES, SCREEN_CELLS } from '@shared/graphics/artwork'
import { bitmapPixels } from '@shared/graphics/artworkPixels'
import { grabBitmap } from '@shared/graphics/grab'
import { pixelsPng } from '../../files/png'
import { standingStill } from '../../machine/readImage'
import { defineOperation, NotNow } from '../operation'
import { address, folderOf, imageSpace, keepAll, pauseDuringRead, reportAddress } from './arguments'
import { readGraphicsParts } from './graphicsParts'
import { formatsFor, palette, savedSummary, saveArtwork, scale } from './savedArtwork'

const NAME = 'bitmap'

export const extractBitmap = defineOperation({
  name: 'extract_bitmap',
  title: 'Extract a bitmap',
  does: 'Saves a bitmap as a picture (PNG), as its bytes, and in other formats: the one that the VIC-II shows, or one at an address.',
  needs: ['readMemory'],
  writes: false,
  savesFiles: true,
  arguments: z.strictObject({
    bitmap: address('Where its 8,000 bytes start. Left out: where the VIC-II shows a bitmap now.').optional(),
    screen: address('Where its colours start, 1,000 bytes. Left out: where the VIC-II has its screen.').optional(),
    mode: z.enum(['auto', 'bitmap', 'multicolourBitmap']).default('auto').meta({
      description: 'One bit a pixel or two. auto: as the VIC-II shows it now; two if it shows no bitmap.',
    }),
    formats: formatsFor('bitmap'),
    palette: palette(),
    scale: scale(),
    space: imageSpace(),
    pauseDuringRead: pauseDuringRead(),
    keepAll: keepAll(),
  }),
  run: async (context, args) => {
    const { artifact, iteration, log } = context
    const { image, video } = await standingStill(context, args.pauseDuringRead, () =>
      readGraphicsParts(context, args.space, (video) => [
        { address: args.bitmap ?? video.bitmap, length: BITMAP_BYTES },
        { address: args.screen ?? video.screen, length: SCREEN_CELLS },
      ]),
    )
    if (args.bitmap === undefined && video.mode !== 'bitmap' && video.mode !== 'multicolourBitmap')
      throw new NotNow('The VIC-II shows no bitmap now.', 'Give the address of one, or use extract_screen for text.')
    const { bitmap, screen } = args
    const place = { ...(bitmap === undefined ? {} : { bitmap }), ...(screen === undefined ? {} : { screen }) }
    const art = grabBitmap(image, args.mode === 'auto' ? place : { ...place, mode: args.mode })
    const folder = `${folderOf(args.keepAll, iteration)}bitmaps/`
    const { pixels, width } = bitmapPixels(art)
    await artifact(`${folder}${NAME}.png`, pixelsPng(pixels, width, palettes[args.palette]))
    await artifact(`${folder}${NAME}.bin`, art.bitmap)
    await artifact(`${folder}screen.bin`, art.screen)
    await artifact(`${folder}colours.bin`, art.colours)
    const saved = await saveArtwork(context, `${folder}${NAME}`, art, args)
    log(`${art.mode} at ${reportAddress(args.bitmap ?? video.bitmap)}`)
    return {
      summary: {
        bitmap: reportAddress(args.bitmap ?? video.bitmap),
        screen: reportAddress(args.screen ?? video.screen),
        mode: art.mode,
        background: art.background,
        ...savedSummary(saved),
      },
      artifacts: { bitmapsDir: `artifacts/${folder}` },
    }
  },
})
