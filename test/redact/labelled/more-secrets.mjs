export const moreSecretsOfKeys = {};
export const moreSecretsOfPrograms = {};
export const moreSecretsInDisguise = {};
