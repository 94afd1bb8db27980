"""Addresses of the planner, below /planner/."""

from django.urls import path

from tutoring.planner.pages.views import calendar_files, events, meals, notes, overview, quick_add, settings, tasks

urlpatterns = [
    path("", overview.today, name="planner"),
    path("week/", overview.week, name="planner-week"),
    path("add/", quick_add.quick_add, name="planner-add"),
    path("undo/<str:change>/", quick_add.undo, name="planner-undo"),
    path("reminders/", quick_add.reminders, name="planner-reminders"),
    path("reminders/close/", quick_add.close, name="planner-reminders-close"),
    path("tasks/", tasks.tasks, name="planner-tasks"),
    path("tasks/<int:pk>/", tasks.task, name="planner-task"),
    path("tasks/<int:pk>/done/", tasks.done, name="planner-task-done"),
    path("tasks/<int:pk>/delete/", tasks.remove, name="planner-task-remove"),
    path("tasks/<int:pk>/parts/", tasks.add_part, name="planner-task-part"),
    path("tasks/<int:pk>/move/", tasks.move, name="planner-task-move"),
    path("events/<int:pk>/", events.event, name="planner-event"),
    path("events/<int:pk>/move/", events.move, name="planner-event-move"),
    path("events/<int:pk>/delete/", events.cancel, name="planner-event-cancel"),
    path("meals/", meals.meals, name="planner-meals"),
    path("meals/<int:pk>/", meals.meal, name="planner-meal"),
    path("meals/<int:pk>/rate/", meals.rate, name="planner-meal-rate"),
    path("meals/<int:pk>/delete/", meals.remove, name="planner-meal-remove"),
    path("notes/", notes.notes, name="planner-notes"),
    path("notes/export/", notes.export, name="planner-notes-export"),
    path("notes/import/", notes.import_notes, name="planner-notes-import"),
    path("notes/<int:pk>/", notes.note, name="planner-note"),
    path("notes/<int:pk>/delete/", notes.remove, name="planner-note-remove"),
    path("settings/", settings.settings, name="planner-settings"),
    path("settings/calendar/", calendar_files.change_feed, name="planner-feed-change"),
    path("settings/first-messages/stop/", settings.stop_first_messages, name="planner-first-messages-stop"),
    path("workspaces/", settings.make_workspace, name="planner-workspace-make"),
    path("workspaces/switch/", settings.switch, name="planner-switch"),
    path("import/", calendar_files.preview, name="planner-import"),
    path("import/confirm/", calendar_files.import_file, name="planner-import-confirm"),
    path("stop/<str:token>/", settings.stop, name="planner-stop"),
    path("calendar/<str:token>.ics", calendar_files.feed, name="planner-feed"),
]
