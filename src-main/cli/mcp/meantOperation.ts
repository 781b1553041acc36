import { nearestName } from '../nearestName'
import type { Tool } from './tool'

const words: Readonly<Record<string, readonly string[]>> = {
  action: ['project act'],
  asm: ['run assembly'],
  assemble: ['run assembly', 'debug assemble'],
  attach: ['drives mount', 'machine state'],
  break: ['debug checkpoint'],
  breakpoint: ['debug checkpoint'],
  cancel: ['tasks stop'],
  clear: ['debug delete', 'machine clear_left'],
  compare: ['memory diff', 'graphics compare'],
  connect: ['machine state'],
  cont: ['machine resume'],
  continue: ['machine resume'],
  create: ['snapshot save', 'tasks start', 'device create_image'],
  dir: ['device list'],
  dump: ['memory read'],
  eject: ['drives unmount'],
  fill: ['memory write', 'tasks run'],
  get: ['memory read', 'device config_get'],
  go: ['machine resume'],
  image: ['see picture'],
  info: ['machine state', 'device list', 'tasks show'],
  insert: ['drives mount'],
  key: ['type keys'],
  load: ['run load', 'run file', 'snapshot restore'],
  ls: ['device list'],
  memory: ['memory read'],
  next: ['debug step'],
  peek: ['memory read'],
  play: ['sound note', 'run file'],
  poke: ['memory write'],
  prg: ['run file'],
  press: ['type keys'],
  program: ['run file'],
  reg: ['debug registers'],
  rewind: ['debug back'],
  screenshot: ['see picture'],
  set: ['memory write'],
  start: ['tasks start'],
  status: ['machine state', 'tasks show', 'project inspect', 'drives list'],
  step_back: ['debug back'],
  step_into: ['debug step'],
  step_out: ['debug step'],
  step_over: ['debug step'],
  stop: ['machine pause', 'sound off', 'tasks stop'],
  text: ['see screen', 'graphics text', 'type text'],
  type: ['type text'],
  undo: ['machine undo'],
  unfreeze: ['memory release'],
  watchpoint: ['debug checkpoint'],
  write: ['memory write'],
}

export function meantOperations(tool: Tool, given: string, tools: readonly Tool[]): readonly string[] {
  const word = given.toLowerCase()
  const meant = words[word] ?? []
  const own = meant.filter((name) => name.startsWith(`${tool.name} `))
  if (own.length > 0) return own
  const near = nearestName(word, Object.keys(tool.operations))
  if (near !== undefined) return [`${tool.name} ${near}`]
  const elsewhere = tools.flatMap(({ name, operations }) =>
    Object.hasOwn(operations, word) ? [`${name} ${word}`] : [],
  )
  return [...new Set([...elsewhere, ...meant])]
}
