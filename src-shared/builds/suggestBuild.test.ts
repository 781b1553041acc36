import { describe, expect, it } from 'vitest'
import { suggestBuild } from './suggestBuild'

describe('the suggested build command', () => {
  it.each([
    ['game.c', 'cl65 -t c64 -g -Ln game.lbl -Wl --dbgfile,game.dbg -o game.prg game.c'],
    ['game.s', 'cl65 -t c64 -g -Ln game.lbl -Wl --dbgfile,game.dbg -o game.prg game.s'],
    [
      'game.asm',
      '64tass -C -a -D BUILD=1 --vice-labels --labels=game.vs --line-numbers --list=game.lst -o game.prg game.asm',
    ],
    ['game.a', 'acme -f cbm --vicelabels game.vs --report game.rep -o game.prg game.a'],
  ])('of %s is that of its usual tool', (file, command) => {
    expect(suggestBuild(file)).toEqual({ command, program: 'game.prg' })
  })

  it.each(['game.txt', 'game', 'my game.c', '-o.c', '$(reboot).c', "it's.asm", 'a;b.s', 'constructor.constructor'])(
    'is none for %s',
    (file) => expect(suggestBuild(file)).toBeNull(),
  )
})
