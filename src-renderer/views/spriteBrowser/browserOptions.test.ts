import { beforeEach, expect, it } from 'vitest'
import { useMachines } from '../../client/machines'
import { restoreViewState } from '../../client/viewState'
import { sharedColoursNow } from './browserOptions'

const showing = (background: number) => {
  const io = new Uint8Array(4096)
  io[0x21] = background
  return { ram: new Uint8Array(0x10000), io, colorRam: new Uint8Array(1024), characterRom: null }
}

const chooseBackground = (choice: string) => restoreViewState(JSON.stringify({ 'spriteBrowser.background': choice }))

beforeEach(() => chooseBackground('first'))

it('the background stays as it was first seen, of each machine, while a program flashes it', () => {
  useMachines.setState({ front: 'builtin' })
  expect([6, 2, 7].map((colour) => sharedColoursNow(showing(colour)).background)).toEqual([6, 6, 6])
  useMachines.setState({ front: 'vice' })
  expect([3, 4].map((colour) => sharedColoursNow(showing(colour)).background)).toEqual([3, 3])
})

it('the background is live, or one colour, where that is chosen', () => {
  chooseBackground('machine')
  expect([6, 2].map((colour) => sharedColoursNow(showing(colour)).background)).toEqual([6, 2])
  chooseBackground('c5')
  expect(sharedColoursNow(showing(1)).background).toBe(5)
})
