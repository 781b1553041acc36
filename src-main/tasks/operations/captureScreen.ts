import { z } from 'zod'
import { palettes } from '@shared/c64/palettes'
import { IO_START } from '@shared/c64/video'
import { picturePng } from '../../files/png'
import { requireFacet } from '../../machine/machine'
import { standingStill } from '../../machine/readImage'
import { defineOperation } from '../operation'
import { choices, folderOf, keepAll, pauseDuringRead, reportAddress } from './arguments'
import { charset } from './readScreen'
import { readGraphicsRegisters, readTextScreen, SCREEN_BYTES, trimmed } from './screen'

const VIC_REGISTERS = 0x40

export const captureScreen = defineOperation({
  name: 'capture_screen',
  title: 'Capture the screen',
  does: 'Saves what the screen shows: its text, its picture, and the memory behind it.',
  needs: ['readMemory'],
  writes: false,
  savesFiles: true,
  arguments: z.strictObject({
    formats: choices(['text', 'png', 'memory']).optional().meta({
      description:
        'text: the 25 rows; png: the picture with its borders; memory: screen codes, colours and VIC-II registers. Default: all that the machine can give.',
    }),
    charset: charset(),
    pauseDuringRead: pauseDuringRead(),
    keepAll: keepAll(),
  }),
  run: async (context, { formats, charset, pauseDuringRead, keepAll }) => {
    const { machine, signal, artifact, iteration, log } = context
    const wants = (format: 'text' | 'memory') => formats?.includes(format) ?? true
    const noPicture = machine.unsupported.picture
    const wantsPicture = formats?.includes('png') ?? noPicture === undefined
    if (formats === undefined && noPicture !== undefined) log(`no picture: ${noPicture}`)

    const taken = await standingStill(context, pauseDuringRead, async () => ({
      screen: await readTextScreen(machine, signal, charset),
      vic: (await readGraphicsRegisters(machine, signal)).io.slice(0xd000 - IO_START, VIC_REGISTERS),
      colours: wants('memory')
        ? await machine.readMemory({ space: 'colorRam', address: 0xd800, length: SCREEN_BYTES }, signal)
        : null,
      picture: wantsPicture ? await requireFacet(machine, 'picture').read(signal) : null,
    }))

    const folder = folderOf(keepAll, iteration)
    const { screen, vic, colours, picture } = taken
    const rows = trimmed(screen.rows)
    const artifacts: Record<string, string> = {}
    const save = async (what: string, name: string, content: Uint8Array | string) => {
      await artifact(`${folder}${name}`, content)
      artifacts[what] = `artifacts/${folder}${name}`
    }
    if (wants('text')) await save('text', 'screen.txt', `${rows.join('\n')}\n`)
    if (picture) {
      const palette = await requireFacet(machine, 'picture').palette?.(signal)
      await save('png', 'screen.png', picturePng(picture, palette ?? palettes.pepto))
    }
    if (colours) {
      await save('codes', 'screen.bin', screen.codes)
      await save(
        'colours',
        'colours.bin',
        colours.map((byte) => byte & 0x0f),
      )
      await save('vic', 'vic.bin', vic)
    }
    return {
      summary: { address: reportAddress(screen.video.screen), mode: screen.video.mode, charset: screen.set, rows },
      artifacts,
    }
  },
})
