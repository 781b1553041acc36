import { AppError } from '@shared/contract/errors'

export const usage = `bridgedeck - see into a Commodore 64 while it runs

  bridgedeck machines
  bridgedeck read      --machine M --address A [--length N] [--bank B] [--out FILE]
  bridgedeck write     --machine M --address A --bytes HEX [--bank B]
  bridgedeck screen    --machine M [--png FILE]
  bridgedeck registers --machine M
  bridgedeck run FILE  --machine M [--frames N] [--png FILE]
  bridgedeck watch     --machine M --address A [--length N] [--bank B] [--rate HZ] [--count N]
  bridgedeck recording list
  bridgedeck recording info ID
  bridgedeck recording query ID image      --at T --address A [--length N] [--bank B]
  bridgedeck recording query ID changes    --address A [--bank B] [--from T] [--to T] [--limit N]
  bridgedeck recording query ID values     --address A [--bank B] [--from T] [--to T] [--points N]
  bridgedeck recording query ID first      --address A [--bank B] [--from T] [--to T] --is IS [--value V]
  bridgedeck recording query ID difference --from T --to T [--bank B]
  bridgedeck recording export ID FILE --format csv  --address A [--length N] [--bank B] [--from T] [--to T]
  bridgedeck recording export ID FILE --format raw  --address A [--length N] [--bank B] --at T
  bridgedeck recording export ID FILE --format png  [--sprite 0-7] --at T
  bridgedeck recording export ID FILE --format apng [--sprite 0-7] [--from T] [--to T] [--every N] [--rate HZ]

  bridgedeck task operations [OPERATION]
  bridgedeck task run OPERATION   --machine M [--name NAME] [--ARGUMENT VALUE …] [--args JSON]
  bridgedeck task start OPERATION --machine M [--name NAME] [--interval MS] [--iterations N] [--ARGUMENT VALUE …] [--args JSON]
  bridgedeck task list [--status S]
  bridgedeck task show|log|stop|resume|delete ID
  bridgedeck task stop-all

  bridgedeck project inspect DIR
  bridgedeck project validate DIR
  bridgedeck project trust DIR [--yes]
  bridgedeck project distrust DIR
  bridgedeck project needs DIR
  bridgedeck project watch DIR
  bridgedeck project answer|act DIR [--run KEY] [--action NAME] [--target TARGET] [--set NAME=VALUE …] [--yes]

  bridgedeck ncrew init   [DIR] [--name NAME] [--idea TEXT] [--trust] [--no-git]
  bridgedeck ncrew run    [DIR] [--max-iterations N] [--max-cost USD] [--agent NAME] [--single] [--dry-run] [--trust]
  bridgedeck ncrew resume [DIR]
  bridgedeck ncrew status [DIR]
  bridgedeck ncrew logs   [DIR] [--all] [--tail N]
  bridgedeck ncrew doctor [DIR] [--quiet]

  bridgedeck metashell run DIR    [--agent NAME] [--max-turns N] [--max-cost USD]
  bridgedeck metashell resume DIR [--agent NAME] [--max-turns N] [--max-cost USD]
  bridgedeck metashell rollback DIR --task ID [--yes]

  bridgedeck maestro read-state PATH
  bridgedeck maestro write-state PATH < FILE
  bridgedeck maestro read-active-session
  bridgedeck maestro ensure-workspace [STATE_DIR]

  task run runs an operation once and prints its result. task start repeats one, every second unless told, until it is
  done or Ctrl+C stops it. What an operation takes, task operations OPERATION tells. --home DIR is the folder of tasks.json;
  otherwise it is that of C64_TASK_STATE_FILE, the one in the settings, or ~/.c64bridge.

  ncrew runs a crew of experts: your agents, set up in the window, one task each turn, until CREW_COMPLETE is there. init copies a
  default crew and overwrites nothing. run and resume end with 0 done, 10 a question waits, 11 a phase waits for your approval, 20 no
  iterations are left, 21 no money, 100 it could go on, 99 an error, 130 interrupted; 1 usage, 2 everything is checked and nobody says
  done, 3 no expert, 4 no agent, 5 no crew, 6 somebody else runs it, 7 not trusted. doctor ends with 0, with 2 at errors, with 3 without a crew.
  NOODLECREW_MAX_ITERATIONS, NOODLECREW_MAX_COST and NOODLECREW_DEFAULT_LLM count where there is no option.

  metashell run has agents research, plan, execute and verify the phase that .meta/context.md describes, in a folder that is
  trusted, until a person has to decide; Ctrl+C stops the agent at work. It ends with 0 when the phase is complete, 5 when an
  agent ran out of time, 1 when it halted otherwise. resume goes on with a session that is there; a question is answered with
  project answer, or in the window. rollback tells what reverting a task's commits would change; with --yes it does it.

  maestro reads and writes the state of a Maestro session below the working folder, as Maestro's own scripts do: errors go to
  standard error as ERROR: …, with exit code 1.

  project inspect finds the agent orchestrations in a folder (Meta-Shell, ncrew, Maestro, skill tuning) and tells where each stands; validate checks
  their files and exits with 1 when one breaks its specification; needs lists what waits for a person, oldest first; watch tells of each change
  until Ctrl+C. These only read, and run nothing that is in the folder.
  project act lists what can be done with the runs now, and what each action takes; answer only what answers a need. With an action named it
  shows what would change, and with --yes does it, git's part too, in a trusted folder. --set NAME=VALUE gives a value as it is, such as
  --set answer="Yes, go on"; a choice by its name, several by repeating it. --set JSON gives all as an object.
  project trust asks whether agents and git may run in a folder; until then it is restricted. --yes answers for you.

  M is builtin (the default), vice (start one), vice:PORT or vice:HOST:PORT (attach to a running one), ultimate:HOST,
  teensyrom:HOST or teensyrom:DEVICE, easyflash:DEVICE, stub:DEVICE[@BAUD] or stub:HOST:PORT. An Ultimate’s password is
  taken from C64U_PASSWORD or ~/.c64bridge.json, or asked for.
  A is $0400, 0x0400, 1024 or a register's name such as VIC.BORDER; B is cpu, ram (the default), rom or io.
  T is a time such as 2026-11-21T12:03:04.5Z, or +12.5 for seconds after the recording's start; IS is equals, notEquals,
  above, below or changes. Without --sprite the picture is the whole screen.
  A recording’s ID is that of the task that made it: task start record, task start sample, or the window’s Record button.
  --json prints one object { schema, ok, data or error }; watch and project watch print one a line.

  While the Bridgedeck window is open, builtin is the C64 in it. Otherwise a fresh built-in C64 boots for this one call,
  acts once its prompt shows, and is gone afterwards; run then goes on for --frames (default 150, three seconds).

  Exit codes: 0 done, 1 failed, 2 usage, 3 unreachable, 4 not on this machine, 5 deadline, 6 conflict, 130 interrupted.
`

/** Wrong words on the command line, told apart from bad files and bad answers by its exit code. */
export class UsageError extends AppError {
  constructor(message: string) {
    super('INVALID', message, { hint: 'bridgedeck --help shows what it takes.', details: { usage: true } })
  }
}
