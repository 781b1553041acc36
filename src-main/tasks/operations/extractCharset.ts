import { z } from 'zod'
import { CHARSET_SIDE, charsetPixels } from '@shared/c64/charsetPixels'
import { isCharacterRom } from '@shared/c64/video'
import {
  CHARSET_BYTES,
  CHARSET_CHARACTERS,
  charsetCandidates,
  entropyOf,
  usedCharacters,
  usualThresholds,
  type CharsetThresholds,
} from '@shared/graphics/charsetScan'
import { pixelsPng } from '../../files/png'
import type { Machine } from '../../machine/machine'
import { ramOrCpu, readImage, standingStill } from '../../machine/readImage'
import { defineOperation } from '../operation'
import { address, imageSpace, pauseDuringRead, reportAddress, wholeNumber } from './arguments'
import { readGraphicsRegisters } from './screen'

const inkOnPaper = [0x000000, 0xffffff] as const

interface Charset {
  readonly address: number
  readonly bytes: Uint8Array
  readonly fromRom: boolean
}

export const extractCharset = defineOperation({
  name: 'extract_charset',
  title: 'Extract a character set',
  does: 'Saves character sets as 2048 bytes and a picture: the one that the VIC-II uses, the one at an address, or all that a search finds.',
  needs: ['readMemory'],
  writes: false,
  savesFiles: true,
  arguments: z.strictObject({
    address: address('Where it starts. Left out: where the VIC-II takes its characters from now.').optional(),
    scanRange: z.enum(['none', 'common', 'full']).default('none').meta({
      description:
        'Search for one: common searches where programs usually put it ($2000 to $3FFF), full searches all memory.',
    }),
    minNonEmptyChars: wholeNumber(
      0,
      CHARSET_CHARACTERS,
      'Search: leave out what has fewer characters that are not blank.',
    ).prefault(usualThresholds.minNonEmptyChars),
    minEntropy: z.number().min(0).max(1).default(usualThresholds.minEntropy).meta({
      description:
        'Search: skip areas with less variety in their bits than this, 0 to 1. Memory filled with one value has 0.',
    }),
    space: imageSpace(),
    pauseDuringRead: pauseDuringRead(),
  }),
  run: async (context, args) => {
    const { machine, signal, artifact, log } = context
    const space = args.space ?? ramOrCpu(machine)
    const sets = await standingStill(context, args.pauseDuringRead, async () => {
      if (args.scanRange === 'none') return [await readOne(machine, space, args.address, signal)]
      return search(machine, space, args.scanRange, args, signal)
    })
    const charsets = []
    for (const { address, bytes, fromRom } of sets) {
      const name = `charset_${reportAddress(address).slice(2)}`
      await artifact(`charsets/${name}.bin`, bytes)
      await artifact(`charsets/${name}.png`, pixelsPng(charsetPixels(bytes), CHARSET_SIDE, inkOnPaper))
      charsets.push({
        address: reportAddress(address),
        fromRom,
        characters: usedCharacters(bytes),
        entropy: Number(entropyOf(bytes).toFixed(3)),
      })
    }
    log(`${charsets.length} character sets found`)
    return { summary: { charsetCount: charsets.length, charsets }, artifacts: { charsetsDir: 'artifacts/charsets/' } }
  },
})

/** @throws AppError UNSUPPORTED where the characters are in ROM, and the machine does not show that */
async function readOne(
  machine: Machine,
  space: 'ram' | 'cpu',
  wanted: number | undefined,
  signal: AbortSignal,
): Promise<Charset> {
  const address = wanted ?? (await readGraphicsRegisters(machine, signal)).video.characters
  if (wanted === undefined && isCharacterRom(address)) {
    const bytes = await machine.readMemory(
      { space: 'rom', address: 0xd000 | (address & 0x0fff), length: CHARSET_BYTES },
      signal,
    )
    return { address, bytes, fromRom: true }
  }
  const length = Math.min(CHARSET_BYTES, 0x10000 - address)
  const { bytes } = await readImage(machine, { space, address, length }, signal)
  return { address, bytes, fromRom: false }
}

async function search(
  machine: Machine,
  space: 'ram' | 'cpu',
  range: 'common' | 'full',
  thresholds: CharsetThresholds,
  signal: AbortSignal,
): Promise<Charset[]> {
  const [start, length] = range === 'common' ? [0x2000, 0x2000] : [0, 0x10000]
  const { bytes } = await readImage(machine, { space, address: start, length }, signal)
  return charsetCandidates(bytes, thresholds).map((offset) => ({
    address: start + offset,
    bytes: bytes.slice(offset, offset + CHARSET_BYTES),
    fromRom: false,
  }))
}
