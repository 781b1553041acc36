/** What an agent with the machines does: assembles a program on the built-in C64, and takes its screen for proof. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'

/** Prints it, with the means of BASIC’s editor. */
export const programThatPrints = (text) => `
        ldx #0
print   lda text,x
        beq done
        jsr $ffd2
        inx
        bne print
done    rts
text    .text 147, "${text}", 13, 0
`

/** @returns the screen once it has the text. @throws Error with the server's answer */
export async function proveOnC64(source, text) {
  const client = new Client({ name: 'stand-in', version: '1' })
  const start = process.env.BRIDGEDECK_MCP ?? ''
  await client.connect(
    new StdioClientTransport({ command: '/bin/sh', args: ['-c', `exec ${start}`], env: { ...process.env } }),
  )
  try {
    const { content, isError } = await client.callTool({
      name: 'run',
      arguments: { op: 'assembly', source, wait_for: text, timeout: 30 },
    })
    const shown = content.map((part) => part.text ?? '').join('')
    if (isError || !shown.includes(text)) throw new Error(`The program did not do it: ${shown}`)
    return shown
  } finally {
    await client.close()
  }
}
