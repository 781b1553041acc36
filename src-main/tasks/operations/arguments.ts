import { z } from 'zod'
import { parseAddress, parseAddressRange, parseHexBytes } from '@shared/c64/address'
import type { AddressSpan } from '@shared/c64/differingRanges'
import { toFailure } from '@shared/contract/errors'
import { spaces } from '@shared/contract/memory'

const MEMORY_SIZE = 0x10000

export const parsed = <Value>(parse: (text: string) => Value) =>
  z
    .string()
    .max(200_000)
    .transform((text, context) => {
      try {
        return parse(text)
      } catch (error) {
        context.addIssue({ code: 'custom', message: toFailure(error).message.replace(/\.$/, '') })
        return z.NEVER
      }
    })

const textFromNumber = (given: unknown) => (typeof given === 'number' ? String(given) : given)
const numberFromText = (given: unknown) => (typeof given === 'string' && given.trim() !== '' ? Number(given) : given)

/** `$2000`, `0x2000`, `8192`, a label; or the number itself. */
export const address = (description: string) =>
  z.preprocess(textFromNumber, parsed(parseAddress)).meta({ description, format: 'address' })

export const byteCount = (most: number, description: string) =>
  z.preprocess(numberFromText, z.int().min(1).max(most)).meta({ description })

export const wholeNumber = (from: number, to: number, description: string) =>
  z.preprocess(numberFromText, z.int().min(from).max(to)).meta({ description })

/** Bytes in hexadecimal: `A9 00`, `$A900`, `a9,00`. c64bridge also puts `_` between them. */
export const hexBytes = (description: string) =>
  parsed((text) => parseHexBytes(text.replaceAll('_', ' '))).meta({ description, format: 'bytes' })

export const flag = (fallback: boolean, description: string) => z.boolean().default(fallback).meta({ description })

export const space = () =>
  z.enum(spaces).default('cpu').meta({
    description:
      'Which of the overlapping memories: cpu is what the CPU sees at that moment; ram includes what lies under ROM and I/O.',
  })

export const imageSpace = () =>
  z.enum(['ram', 'cpu']).optional().meta({
    description:
      'ram includes what lies under ROM and I/O; cpu is what the CPU sees at that moment. Default: ram where the machine can reach it.',
  })

export const pauseDuringRead = () =>
  flag(true, 'Stop the machine while it is read, so that all bytes are of one moment. It goes on afterwards.')

export const keepAll = () =>
  flag(
    false,
    'Keep what every run of a recurring task takes, each in a folder of its number. Otherwise the last one stays.',
  )

export const folderOf = (keepAll: boolean, iteration: number): string =>
  keepAll ? `${String(iteration).padStart(4, '0')}/` : ''

const listFromText = (given: unknown) =>
  typeof given === 'string' ? given.split(/[,;\s]+/).filter((text) => text !== '') : given

export const choices = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.preprocess(listFromText, z.array(z.enum(words)).min(1).max(words.length))

/** `$0400-$07E7` with both ends, `$0400+1000` with a length, or `$D020` alone. */
export const ranges = (description: string, title = 'Addresses') =>
  z.preprocess(listFromText, z.array(parsed(parseRange)).max(1000)).meta({
    title,
    description,
    format: 'ranges',
  })

export const listOf = <Item extends z.ZodType>(item: Item, description: string) =>
  z.preprocess(listFromText, z.array(item).max(100)).meta({ description, format: 'list' })

export function parseRange(text: string): AddressSpan {
  const { start, end } = parseAddressRange(text)
  return { address: start, length: end - start }
}

export const fitsMemory = ({ address, length }: AddressSpan): boolean => address + length <= MEMORY_SIZE
export const pastTheEnd = { error: 'the range goes past $FFFF', path: ['length'] }

export const reportAddress = (address: number): string => `0x${address.toString(16).toUpperCase().padStart(4, '0')}`

export const reportRange = ({ address, length }: AddressSpan): string =>
  length === 1 ? reportAddress(address) : `${reportAddress(address)}-${reportAddress(address + length - 1)}`
