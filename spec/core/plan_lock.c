/* plan_lock.c */
#include "core/plan_lock.h"

#include "base/err.h"
#include "base/path.h"

static int read_lock(spec_plan_lock **out, spec_plan *plan, size_t layer, spec_err *err) {
  spec_plan_lock *made = spec_arena_alloc(plan->arena, sizeof *made);
  if (made == NULL)
    return spec_fail_memory(err);
  spec_lock lock = {.arena = plan->arena};
  *made = (spec_plan_lock){.lock = lock};
  made->rc = spec_lock_read(&lock, &made->exists, plan->backends[layer].dir, &made->error);
  if (made->rc == SPEC_ENOMEM)
    return spec_fail_memory(err);
  if (made->rc == 0)
    made->lock = lock;
  *out = made;
  return SPEC_OK;
}

int spec_plan_lock_of(const spec_plan_lock **out, spec_plan *plan, size_t layer, spec_err *err) {
  if (plan->locks == NULL)
    plan->locks = spec_arena_array(plan->arena, plan->layer_count, sizeof(spec_plan_lock *));
  if (plan->locks == NULL)
    return spec_fail_memory(err);
  int rc = plan->locks[layer] == NULL ? read_lock(&plan->locks[layer], plan, layer, err) : SPEC_OK;
  *out = plan->locks[layer];
  return rc;
}

const char *spec_plan_locked_path(const spec_plan *plan, const spec_override *override) {
  return plan->installed ? spec_path_join(plan->arena, "python", override->trunk) : override->trunk;
}
