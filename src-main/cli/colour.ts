import { colourNames } from '@shared/c64/palettes'
import { optional, type Optional } from './parameters'
import { didYouMean } from './nearestName'
import { UsageError } from './usageError'

export const colour = (help: string): Optional<number> =>
  optional('COLOUR', `${help} 0 to 15, or a name such as red or light-blue.`, (given, label) => {
    const number = /^\d{1,2}$/.test(given) ? Number(given) : -1
    const named = colourNames.indexOf(given.toLowerCase().replaceAll(/[-_]/g, ' ').replace('gray', 'grey'))
    const found = named < 0 ? number : named
    if (found >= 0 && found < colourNames.length) return found
    throw new UsageError(
      `${label} is a colour: 0 to 15, or ${colourNames.join(', ')}, not “${given.slice(0, 40)}”.${didYouMean(given, colourNames)}`,
    )
  })
