import { expect, it } from 'vitest'
import { palettes } from '@shared/c64/palettes'
import { formatNamed } from '@shared/graphics/formats'
import { chosenPalette, heedsPalette, paletteField, RECOGNISED } from './importPalette'

it('pictures are imported by the palette chosen, that of the window, or a recognised one', () => {
  const shown = palettes.colodore.toReversed()
  expect(chosenPalette('ultimate', shown)).toBe(palettes.ultimate)
  expect(chosenPalette('shown', shown)).toBe(shown)
  expect(chosenPalette(RECOGNISED, shown)).toBeNull()
  expect(paletteField).toMatchObject({
    options: [{ value: RECOGNISED }, { value: 'shown' }, { value: 'pepto' }, {}, {}],
  })
})

it('a palette is asked for pictures only', () => {
  const asked = ['png', 'apng', 'gif', 'koala', 'viewer', 'kickass', ''].filter((id) => heedsPalette(formatNamed(id)))
  expect(asked).toEqual(['png', 'apng', 'gif'])
})
