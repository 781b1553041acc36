export const c64bridgeVariables = [
  'C64BRIDGE_CONFIG',
  ...['HOST', 'PORT', 'PASSWORD'].flatMap((field) => [`C64U_${field}`, `U2_${field}`]),
  'VICE_HOST',
  'VICE_PORT',
] as const
