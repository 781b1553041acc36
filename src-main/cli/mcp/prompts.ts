import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import {
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js'

interface Prompt {
  readonly name: string
  readonly title: string
  readonly steps: readonly string[]
}

export const prompts: readonly Prompt[] = [
  {
    name: 'assembly-program',
    title: 'Write a program in assembler',
    steps: [
      'Read bridgedeck://c64/kernal and bridgedeck://c64/chips where you need routines and registers.',
      'Take a snapshot. Run the source with run assembly and screen, or wait_for a text that the program prints.',
      'Look with see picture. Where something is wrong, use memory why for a byte, and debug step, checkpoint and back.',
    ],
  },
  {
    name: 'basic-program',
    title: 'Write a program in BASIC',
    steps: [
      'Write each line with its number; control codes stand in braces: {clr}, {red}.',
      'Run it with run basic and wait_for. A screen with ?SYNTAX ERROR names the line; see listing shows what stands in memory.',
    ],
  },
  {
    name: 'memory-debug',
    title: 'Find out why memory is wrong',
    steps: [
      'Ask memory why for the byte: what it is for, and who wrote it. On builtin, debug back with to_write goes to that moment.',
      'Set debug checkpoint on store with a condition, and machine resume; the stop says what happened.',
      'Compare with memory diff against a snapshot of the right state.',
    ],
  },
  {
    name: 'graphics-demo',
    title: 'Draw with the VIC-II',
    steps: [
      'Read bridgedeck://c64/chips for the VIC-II. Put graphics where the VIC-II can see them, in its bank of 16 KiB.',
      'Run it with run assembly, and compare see picture with what you meant. memory why explains a register or a byte of a sprite.',
    ],
  },
  {
    name: 'sid-music',
    title: 'Make the SID sound',
    steps: [
      'Read bridgedeck://c64/chips for the SID: frequency, envelope, then the gate bit; volume in the low bits of $D418.',
      'Run a player from the raster interrupt with run assembly. You cannot hear it: check the registers with memory read.',
    ],
  },
  {
    name: 'drive-manager',
    title: 'Work with disks and drives',
    steps: [
      'drives list shows drives and disks. Ask the person before you mount, unmount or reset one.',
      'Look at a directory with type text: load"$",8, then list, and see screen.',
    ],
  },
]

const task = { name: 'task', description: 'What it is about, in words.', required: false }

export function servePrompts({ server }: McpServer): void {
  server.setRequestHandler(ListPromptsRequestSchema, () => ({
    prompts: prompts.map(({ name, title }) => ({ name, title, description: `${title}.`, arguments: [task] })),
  }))
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) => {
    const prompt = prompts.find(({ name }) => name === params.name)
    if (!prompt) {
      throw new McpError(
        ErrorCode.InvalidParams,
        `There is no prompt “${params.name.slice(0, 40)}”. There are ${prompts.map(({ name }) => name).join(', ')}.`,
      )
    }
    const about = params.arguments?.[task.name]
    const text = [about === undefined ? `${prompt.title}.` : `${prompt.title}: ${about}`, ...prompt.steps].join('\n')
    return { messages: [{ role: 'user', content: { type: 'text', text } }] }
  })
}
