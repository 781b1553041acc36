import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { affectedTests, hubs } from './affected.mjs'
import { programs } from './programs.mjs'
import { root as project } from './process.mjs'

let root
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'bridgedeck-affected-'))
})
afterEach(() => rmSync(root, { recursive: true }))

function write(files) {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
}

describe('affectedTests', () => {
  it('finds tests by imports, directly or not, however they are written', () => {
    write({
      'src-shared/c64/palette.ts': '',
      'src-main/a.ts': `import { palette } from '@shared/c64/palette'`,
      'src-main/b.tsx': `export * from './a'`,
      'src-main/b.test.ts': `const b = await import('./b')`,
      'src-main/other.test.ts': `import './other'`,
      'test/integration/b.test.ts': `import { b } from '../../src-main/b'`,
    })
    expect(affectedTests(root, ['src-shared/c64/palette.ts'])).toEqual({
      tests: ['src-main/b.test.ts', 'test/integration/b.test.ts'],
      leftOut: [],
    })
  })

  it('finds tests by the paths of programs and folders that they name', () => {
    write({
      [programs.regexWorker]: `import './matching.ts'`,
      'src-main/regex/matching.ts': '',
      'test/fixtures/spec/plan.md': '',
      'test/integration/built.test.ts': `resolve('out/main/regexWorker.cjs')`,
      'test/integration/fixture.test.ts': `cp(resolve('test/fixtures/spec'), folder)`,
    })
    expect(affectedTests(root, ['src-main/regex/matching.ts']).tests).toEqual(['test/integration/built.test.ts'])
    expect(affectedTests(root, ['test/fixtures/spec/plan.md']).tests).toEqual(['test/integration/fixture.test.ts'])
  })

  it('leaves out what uses a change only as part of the whole app, but for unit tests and changes of the hub', () => {
    const [hub] = hubs
    write({
      'src-main/a.ts': '',
      [hub]: `import './a'`,
      'src-main/hub.test.ts': `import './main'`,
      'test/integration/whole.test.ts': `import '../../${hub}'`,
    })
    expect(affectedTests(root, ['src-main/a.ts'])).toEqual({
      tests: ['src-main/hub.test.ts'],
      leftOut: ['test/integration/whole.test.ts'],
    })
  })

  it('leaves out far tests of what many use: those of its name are taken first, then the quick and the near ones', () => {
    write({
      'src-main/machine/vice/fields.ts': '',
      'src-main/machine/vice/driver.ts': `import './fields'`,
      'src-main/machine/vice/fields.test.ts': `import './fields'`,
      'test/support/machines.ts': `import '../../src-main/machine/vice/driver'`,
      'test/integration/viceFaults.test.ts': `import '../support/machines'`,
      ...Object.fromEntries(
        ['a', 'b', 'c'].map((name) => [
          `test/integration/${name}.test.ts`,
          `import '../../src-main/machine/vice/driver'`,
        ]),
      ),
      ...Object.fromEntries(
        ['d', 'e'].map((name) => [`test/integration/${name}.test.ts`, `import '../support/machines'`]),
      ),
    })
    expect(affectedTests(root, ['src-main/machine/vice/fields.ts'])).toEqual({
      tests: [
        'src-main/machine/vice/fields.test.ts',
        ...['a', 'b', 'c', 'viceFaults'].map((name) => `test/integration/${name}.test.ts`),
      ],
      leftOut: ['d', 'e'].map((name) => `test/integration/${name}.test.ts`),
    })
  })

  it('takes a changed test', () => {
    write({ 'test/e2e/views.test.ts': '' })
    expect(affectedTests(root, ['test/e2e/views.test.ts']).tests).toEqual(['test/e2e/views.test.ts'])
  })
})

it.each([...hubs, ...Object.values(programs)])('%s exists', (file) => {
  expect(existsSync(join(project, file))).toBe(true)
})
