// Loaded before a program: each SIGUSR2 sets its clock forward or back, by up to an hour.
const now = Date.now;
let offsetMs = 0;
Date.now = () => now() + offsetMs;
process
  .on("SIGUSR2", () => {
    offsetMs = Math.round((Math.random() - 0.5) * 7_200_000);
  })
  .unref?.();
