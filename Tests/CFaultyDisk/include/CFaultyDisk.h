#ifndef CFAULTYDISK_H
#define CFAULTYDISK_H

#include <stdint.h>

/// Makes SQLite keep every file whose path begins with "/faulty-disk/<number>/" on a disk in memory that
/// can lose power. All other files stay where they are. Returns 0 on success; may be called again.
int faulty_disk_register(void);

/// Empties a disk, and lets it work.
void faulty_disk_reset(int disk);

/// Lets the disk lose power at the so many-th write or sync from now; nothing more is written then.
void faulty_disk_lose_power_after(int disk, long operations);

/// Lets the disk be full: writes fail from the so many-th on, until it is reset to -1.
void faulty_disk_be_full_after(int disk, long operations);

/// True when the power was lost.
int faulty_disk_is_off(int disk);

/// Brings the power back. Of what was written and not synced, a part is there: each write whole, torn at a
/// sector, or not at all, as the seed says.
void faulty_disk_power_up(int disk, uint64_t seed);

/// How many writes and syncs there were since the disk was reset.
long faulty_disk_operations(int disk);

#endif
