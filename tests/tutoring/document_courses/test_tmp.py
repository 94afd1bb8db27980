import pytest, time
from pathlib import Path
from django.core.files import File
from conversations.library import uploads, reading_jobs
from tutoring.document_courses import jobs, publishing
from tutoring.models import DocumentCourse
pytestmark = pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("path", ["/work/shared/examples/introduction-python-programming.cnxml.tar.gz","/work/shared/examples/prealgebra-2e-ch-fractions.cnxml.tar.gz","courses/library/how-memory-works.md"])
def test_e(ada, path):
    with open(path,"rb") as f: d=uploads.accept(ada, File(f, name=Path(path).name), in_library=True)
    t=time.process_time(); reading_jobs.read_all(); print("read", time.process_time()-t)
    d.refresh_from_db(); assert d.status=="ready", d.problem
    t=time.process_time()
    m=DocumentCourse.objects.create(owner=ada,document=d,document_name=d.name,title=str(d)); jobs.draft_course.func(m.pk)
    m.refresh_from_db(); print("draft",m.status,m.problem,time.process_time()-t)
    t=time.process_time()
    c=publishing.publish_document_course(m,m.value()); print("publish",time.process_time()-t, c.slug, c.concepts.count(), m.value().questions)
    c.refresh_from_db(); print(c.is_personal,c.is_public)
    from tutoring.course_storage import folder_of
    f=folder_of(c); x=next((f/'concepts').iterdir()); print((x/'lesson.md').read_text()[:2500]); print((x/'items.yaml').read_text()[:2500])
