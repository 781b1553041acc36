import { expect, it } from 'vitest'
import { locate, lockedPackage } from './lockFile.mjs'

const packages = {
  'node_modules/a': { version: '1.0.0' },
  'node_modules/b': { version: '1.0.0' },
  'node_modules/@scope/c/node_modules/b': { version: '2.0.0' },
  'node_modules/other': { name: '@scope/real', version: '3.0.0' },
}

it('finds a package beside the one that needs it, else in a folder above', () => {
  expect(locate(packages, 'b', 'node_modules/@scope/c')).toBe('node_modules/@scope/c/node_modules/b')
  expect(locate(packages, 'a', 'node_modules/@scope/c/node_modules/b')).toBe('node_modules/a')
  expect(locate(packages, 'a', '')).toBe('node_modules/a')
})

it('names a package by its folder, and an alias by what it stands for', () => {
  expect(lockedPackage(packages, 'node_modules/@scope/c/node_modules/b')).toEqual({ name: 'b', version: '2.0.0' })
  expect(lockedPackage(packages, 'node_modules/other')?.name).toBe('@scope/real')
  expect(lockedPackage(packages, 'node_modules/none')).toBeUndefined()
})
