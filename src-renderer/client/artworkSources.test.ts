import { expect, it } from 'vitest'
import { subjectsOf } from './artworkSources'

const subject = { title: 'All', name: 'all', artworks: [] }
const broken = () => Promise.reject(new Error('torn.koa is too short.'))

it('a view that cannot be read leaves what the others have to export', async () => {
  const found = await subjectsOf([
    ['artifacts', broken],
    ['sheet', () => [subject]],
  ])
  expect(found.map(({ viewTitle }) => viewTitle)).toEqual(['Sheet'])
})

it('says why a view cannot be read where no other has anything to export', async () => {
  await expect(
    subjectsOf([
      ['artifacts', broken],
      ['sheet', () => []],
    ]),
  ).rejects.toThrow('torn.koa is too short.')
})
