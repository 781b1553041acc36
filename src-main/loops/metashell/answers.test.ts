import { describe, expect, it } from 'vitest'
import { findJson } from '../askForJson'
import { checkPlan, checkpointSchema, gapsOf, planSchema, summarySchema, verificationSchema } from './answers'

describe('an agent’s answer', () => {
  it('may be a summary, with all that it says', () => {
    const summary = { task_id: '01', status: 'complete', commits: ['a1b2c3d'], extra: { kept: true } }
    expect(findJson(JSON.stringify(summary), summarySchema)).toMatchObject({ value: { task_id: '01' }, json: summary })
    expect(findJson('{"status":"finished"}', summarySchema)).toBeUndefined()
  })

  it('names no commit where it lists an empty one', () => {
    const summary = { status: 'complete', commits: ['', ' '] }
    expect(findJson(JSON.stringify(summary), summarySchema)).toMatchObject({ value: { commits: [] } })
  })

  it('with ids as numbers or as texts is taken alike', () => {
    expect(
      findJson('{"tasks":[{"id":1,"title":"A","depends_on":[]},{"id":"2","title":"B","depends_on":[1]}]}', planSchema)
        ?.value.tasks,
    ).toMatchObject([{ id: '1' }, { id: '2', depends_on: ['1'] }])
  })

  it('may be a checkpoint', () => {
    expect(
      findJson('{"type":"checkpoint","message":"Which?","options":["a",2],"resume_id":7}', checkpointSchema)?.value,
    ).toMatchObject({ message: 'Which?', options: ['a', '2'], resume_id: '7' })
  })

  it('tells its gaps however they are written', () => {
    const found = findJson(
      '{"passed":false,"gaps":["No tests",{"description":"No index","suggested_task":"Add it"},{"suggested_task":"Do"}]}',
      verificationSchema,
    )
    expect(found && gapsOf(found.value).map(({ description }) => description)).toEqual([
      'No tests',
      'No index',
      'not described: {"suggested_task":"Do"}',
    ])
  })
})

describe('a gap', () => {
  it.each([
    ['as text', 'Add an index', 'Add an index'],
    ['as a task', { title: 'Add an index' }, '{"title":"Add an index"}'],
  ])('keeps the task that closes it, %s', (_how, task, expected) => {
    const gaps = [{ description: 'No index', suggested_task: task }]
    expect(gapsOf(verificationSchema.parse({ passed: false, gaps }))).toEqual([
      { description: 'No index', suggestedTask: expected },
    ])
  })
})

describe('a plan', () => {
  const problem = (...tasks: object[]) => checkPlan(planSchema.parse({ tasks })).problem
  const task = (id: string, ...dependencies: string[]) => ({ id, title: `Task ${id}`, dependencies })

  it('is taken when each task stands after those that it needs', () => {
    expect(checkPlan(planSchema.parse({ tasks: [task('01'), task('02-01', '01'), { id: '03', title: 'C' }] }))).toEqual(
      {
        tasks: [
          { id: '01', title: 'Task 01', dependencies: [] },
          { id: '02-01', title: 'Task 02-01', dependencies: ['01'] },
          { id: '03', title: 'C', dependencies: [] },
        ],
        warnings: [],
      },
    )
  })

  it.each([
    [
      'a dependency that comes later',
      [task('01', '02'), task('02')],
      /Invalid Topology: task 01 needs 02, which does not come before it/,
    ],
    ['a dependency on itself', [task('01', '01')], /Invalid Topology/],
    [
      'a dependency that is not there',
      [task('01', '07')],
      /Invalid Topology: task 01 needs "07", which is not in the plan/,
    ],
    ['an id twice', [task('01'), task('01')], /Two tasks have the id 01/],
    ['an id that leads out of the folder', [task('../../x')], /cannot be a file name/],
    ['an id that is empty', [task('')], /cannot be a file name/],
    ['a task without a title', [{ id: '01', title: ' ' }], /no title/],
  ])('is refused with %s', (_what, tasks, message) => {
    expect(problem(...tasks)).toMatch(message)
  })

  it('without tasks is none', () => {
    expect(planSchema.safeParse({ tasks: [] }).success).toBe(false)
  })

  it('with a task of more than three files is taken with a warning', () => {
    expect(checkPlan(planSchema.parse({ tasks: [{ ...task('01'), files: ['a', 'b', 'c', 'd'] }] })).warnings).toEqual([
      'Task 01 exceeds the context budget: 4 files; at most 3 are allowed',
    ])
  })
})
