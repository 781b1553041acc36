import { sourceFormat } from '../source/writeSource'

export const tass64 = sourceFormat({
  id: '64tass',
  title: '64tass',
  extensions: ['tas', 'asm'],
  sign: /^[^;\n]*\.byte\b/im,
  comment: ';',
  hex: '$',
  binary: '%',
  constant: (name, value) => `${name} = ${value}`,
  label: (name) => name,
  bytes: (values) => `    .byte ${values}`,
})
