import { expect, it } from 'vitest'
import { isProgramFile } from './programFiles'

it.each([
  ['/work/Makefile', true],
  ['/work/.mcp.json', true],
  ['/work/build.sh', true],
  ['/work/.git/hooks/pre-commit', true],
  ['/work/.VSCode/tasks.json', true],
  ['/work/game.prg', false],
  ['/work/screen.png', false],
  ['/work/source/main.asm', false],
  ['/work/labels.json', false],
])('A file %s is run by other programs: %s', (path, expected) => {
  expect(isProgramFile(path)).toBe(expected)
})
