import { expect, it } from 'vitest'
import { LineWriter } from './lineWriter.mjs'

it('keeps the lines of two programs apart', () => {
  let written = ''
  const lines = new LineWriter({ write: (text) => (written += text) })
  lines.write('one\ntw')
  lines.print('── lint ──')
  lines.write('o\nthree')
  lines.end()
  lines.end()
  expect(written).toBe('one\n── lint ──\ntwo\nthree\n')
})
