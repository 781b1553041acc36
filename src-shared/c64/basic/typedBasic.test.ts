import { describe, expect, it } from 'vitest'
import { needsBasic } from './typedBasic'

describe('a text at the prompt of the boot ROM', () => {
  it.each([
    ['10 print "hello"\n20 goto 10\nrun', 'line 10'],
    ['for i=1 to 10:print i:next', 'FOR'],
    ['print chr$(147)', 'CHR$'],
    ['A=5', 'A'],
    ['LOAD"*",8,1', 'LOAD'],
    ['poke 53280,0\n  gosub 100', 'GOSUB'],
  ])('%j needs BASIC for %s', (text, word) => expect(needsBasic(text)).toBe(word))

  it.each(['poke 53280,0:print "hello"', 'sys 49152', 'run', 'list', 'help', '', 'anna', 'in a loop', 'forest', '?'])(
    '%j needs none',
    (text) => expect(needsBasic(text)).toBeNull(),
  )
})
