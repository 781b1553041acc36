import { sourceFormat } from '../source/writeSource'

export const kickAssembler = sourceFormat({
  id: 'kickass',
  title: 'KickAssembler',
  extensions: ['asm', 'kick'],
  sign: /^[^;\n]*\.byte\b[^;]*$|^\s*\/\//m,
  comment: '//',
  hex: '$',
  binary: '%',
  constant: (name, value) => `.const ${name} = ${value}`,
  label: (name) => `${name}:`,
  bytes: (values) => `    .byte ${values}`,
})
