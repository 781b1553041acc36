import { expect, it } from 'vitest'
import { isKeptFolder, keptOfData, keptOfTasks, partOfData, partOfTasks } from './dataFiles'

it.each([
  ['chromium/Local State', 'cache', undefined],
  ['logs/bridge.log', 'logs', undefined],
  ['agents/0001.log', 'logs', undefined],
  ['bridgedeck.sqlite', 'rest', 'settings'],
  ['bridgedeck.sqlite-wal', 'rest', undefined],
  ['bridgedeck.sqlite.corrupt-1', 'rest', undefined],
  ['serve.json', 'rest', undefined],
  ['constructor', 'rest', undefined],
  ['loops/a/turns/000001.md', 'rest', 'plain'],
  ['unknown/later.json', 'rest', undefined],
])('of the data folder, %s is %s', (path, part, kept) => {
  expect([partOfData(path), keptOfData(path)]).toEqual([part, kept])
})

it.each([
  ['tasks.json', 'tasks', 'plain'],
  ['.bridgedeck.tasks/0001_read.json', 'tasks', 'plain'],
  ['.bridgedeck.lock', undefined, undefined],
  ['tasks/0001_film/recording.sqlite', 'recordings', 'recording'],
  ['tasks/0001_film/recording.sqlite-wal', 'recordings', undefined],
  ['sessions/now/session.json', 'tasks', 'plain'],
  ['tasks', undefined, undefined],
  ['config.json', undefined, undefined],
])('of the folder of tasks, %s is %s', (path, part, kept) => {
  expect([partOfTasks(path), keptOfTasks(path)]).toEqual([part, kept])
})

it('a worktree of a loop is left to its repository, a repository of the sample is kept', () => {
  expect(isKeptFolder('loops/a/worktree', ['.git', 'main.c'])).toBe(false)
  expect(isKeptFolder('loops/a/turns', ['000001.md'])).toBe(true)
  expect(isKeptFolder('sample-project', ['.git'])).toBe(true)
  expect(isKeptFolder('chromium', [])).toBe(false)
})
