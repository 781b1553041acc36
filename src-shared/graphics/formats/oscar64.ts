import { sourceFormat } from '../source/writeSource'

export const oscar64 = sourceFormat({
  id: 'oscar64',
  title: 'Oscar64 (C)',
  extensions: ['c', 'h'],
  sign: /\[[^\]]*\]\s*=\s*\{/,
  comment: '//',
  hex: '0x',
  binary: '0b',
  constant: (name, value) => `#define ${name.toUpperCase()} ${value}`,
  label: (name) => `const char ${name}[] = {`,
  bytes: (values) => `    ${values},`,
  end: '};',
})
