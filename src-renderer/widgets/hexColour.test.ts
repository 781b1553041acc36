import { expect, it } from 'vitest'
import { hexColour } from './hexColour'

it('a colour of the theme is read in full and as the build shortens it', () => {
  expect([' #ffffff', '#fff', '#1a2b3c', '#04c'].map(hexColour)).toEqual([0xffffff, 0xffffff, 0x1a2b3c, 0x0044cc])
})
