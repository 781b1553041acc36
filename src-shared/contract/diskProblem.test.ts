import { describe, expect, it } from 'vitest'
import { diskProblem } from './diskProblem'
import { AppError, diskError, toFailure } from './errors'

const refused = (code: string, path?: string): Error => Object.assign(new Error('secret text'), { code, path })

describe('what a disk refuses', () => {
  it.each([
    ['ENOSPC', 'INVALID', 'full'],
    ['SQLITE_FULL', 'INVALID', 'full'],
    ['EDQUOT', 'INVALID', 'quota'],
    ['EMFILE', 'INVALID', 'too many files'],
    ['EROFS', 'FORBIDDEN', 'read-only'],
    ['SQLITE_READONLY', 'FORBIDDEN', 'read-only'],
    ['SQLITE_READONLY_DIRECTORY', 'FORBIDDEN', 'read-only'],
    ['EACCES', 'FORBIDDEN', 'permission'],
    ['EPERM', 'FORBIDDEN', 'permission'],
    ['SQLITE_CANTOPEN', 'FORBIDDEN', 'opened'],
    ['SQLITE_IOERR_WRITE', 'INVALID', 'error'],
    ['EIO', 'INVALID', 'error'],
  ])('is a sentence with what to do at every border: %s', (code, kind, why) => {
    const failure = toFailure(refused(code))
    expect(failure).toMatchObject({ code: kind, hint: expect.stringMatching(/\.$/) as string })
    expect(failure.message).toContain(why)
    expect(failure.message).not.toContain('secret')
  })

  it('names the file without its folders, and without the name under which it is staged', () => {
    expect(diskProblem(refused('ENOSPC', '/home/ada/session.json'))?.message).toMatch(/^session\.json could/)
    expect(diskProblem(refused('ENOSPC', '/home/ada/.task.json.0123456789ab.tmp'))?.message).toMatch(
      /^task\.json could/,
    )
  })

  it('is nothing else: not a bug, not another code, not what is said already', () => {
    expect(diskError(new TypeError('undefined'))).toBeUndefined()
    expect(diskError(refused('ECONNREFUSED'))).toBeUndefined()
    expect(diskError(new AppError('INVALID', 'No.'))).toBeUndefined()
    expect(toFailure(refused('SQLITE_CORRUPT')).code).toBe('INTERNAL')
  })
})
