import { describe, expect, it } from 'vitest'
import { compareIds, counterOf, folderOf, isFolderName, makeTaskId } from './taskId'

describe('a task’s id', () => {
  it.each([
    [1, 'extract_sprites', '0001_extract_sprites'],
    [9999, 'read', '9999_read'],
    [10000, 'read', '10000_read'],
  ])('%i and %s make %s, and the counter is read back', (counter, name, id) => {
    expect(makeTaskId(counter, name)).toBe(id)
    expect(counterOf(id)).toBe(counter)
  })

  it.each(['t1', '123_read', 'read', '0001read', '99999999999999999999_read'])('%s has no counter', (id) => {
    expect(counterOf(id)).toBe(0)
  })

  it('puts foreground tasks under tasks/ and background ones under tasks/background/', () => {
    expect(folderOf('foreground', '0001_extract_sprites')).toBe('tasks/0001_extract_sprites')
    expect(folderOf('background', '0002_read')).toBe('tasks/background/0002_read')
  })

  it.each([
    '../../etc',
    '..',
    '.',
    'a/b',
    'a\\b',
    'C:x',
    'a\0b',
    'a\u009bb',
    'a\ufffdb',
    '.hidden',
    'trailing.',
    'trailing ',
    '',
    'x'.repeat(300),
  ])('%j is never a folder’s name', (id) => {
    expect(isFolderName(id)).toBe(false)
  })

  it.each(['0001_read', 't1', '0007_watch my screen', 'läuft'])('%s may be a folder’s name', (id) => {
    expect(isFolderName(id)).toBe(true)
  })

  it('is sorted by its counter, beyond four digits too', () => {
    expect(['10000_a', '0002_b', 't1', '0002_a'].sort(compareIds)).toEqual(['t1', '0002_a', '0002_b', '10000_a'])
  })
})
