export const noAgent = {
  message: 'No agent is set up.',
  hint: 'Add one in the Agents view: a preset such as claude, gemini, codex or opencode, or your own command line.',
} as const
